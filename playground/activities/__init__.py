"""Activities on a person's screen: the proxy that serves the app's page, and the protocol of the Embedded App SDK."""
