"""The kernel, part by part."""
