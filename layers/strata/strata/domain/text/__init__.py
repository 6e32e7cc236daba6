"""Rules about text: words, sentences, keywords and stop words."""
