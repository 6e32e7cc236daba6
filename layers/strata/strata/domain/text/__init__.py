"""Rules about text: its words, sentences and keywords, in English and Spanish."""
