"""A real browser at a real server: only what a person can see, point at and type.

The pages are checked for people who need a screen reader, keys or contrast by axe-core. It is among the packages that
build the pages (`web/package.json`): whoever has built them with `tools/web` has it in `web/node_modules`.
"""
