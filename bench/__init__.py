"""Benchmarks: what is measured rather than tested. Nothing here runs in the product."""
