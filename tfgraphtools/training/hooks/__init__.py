"""Hooks of sessions: guards, schedules, traces and summaries."""
