"""Questions about people, over HTTP: is the evidence among the sources, and is it told what is not known."""
