"""The page that shows a table, in browsers and as a Discord Activity: the HTTP server, and what it sends."""
