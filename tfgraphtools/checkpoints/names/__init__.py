"""Names of variables: their parts, words and synonyms, and how alike two are."""
