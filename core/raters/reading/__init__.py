"""Reading studies: people read whole versions of a text; choices of a study, orders, and what it says."""
