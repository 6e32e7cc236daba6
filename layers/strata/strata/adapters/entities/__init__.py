"""Recognizers of entities: by rules, by a token classifier in ONNX, by a spaCy pipeline."""
