"""The part of Discord's REST API that a bot with slash commands and components uses.

`middleware` handles what all routes share: the log, injected faults, authentication, rate limits and errors.
`access`, `bodies` and `drafts` parse and validate requests. The other modules have the routes of a resource each.
"""
