"""Recognizers of entities: by weights in the package, by a token classifier in ONNX, by a spaCy pipeline."""
