"""What several layers use: metrics, the press that a task answers, queues and worker processes."""
