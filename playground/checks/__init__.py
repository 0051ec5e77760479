"""What Discord enforces, as pure functions: a request body in, the faults in it out.

`messages`, `components`, `embeds` and `modals` hold messages and forms against the limits, `commands` the
application commands, `uploads` emoji pictures. Nothing here looks at the world; what a rule depends on
(the emoji that exist, the message being edited) is handed in.
"""
