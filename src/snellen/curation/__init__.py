"""The curation of sets: a data set without what tells nobody anything."""
