"""How weights beside those of the sentence model are fitted to one task of the service, in torch.

To fit needs torch beside the project's own environment: `pip install torch`.
"""
