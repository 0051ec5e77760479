"""Shared by several layers: metrics, the press that a task answers, queues and worker processes."""
