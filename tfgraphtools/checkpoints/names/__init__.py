"""What names of variables mean: the parts of a name, its words, synonyms, how alike two are."""
