"""Demos that explain one idea each."""
