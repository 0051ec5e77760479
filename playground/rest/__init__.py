"""Discord's REST API, as far as a bot of slash commands and components uses it.

`edge` stands before every route: log, faults on demand, authentication, rate limits, errors.
The other modules are the routes, one for each resource.
"""
