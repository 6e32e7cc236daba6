"""Models over a network: Bedrock, servers of OpenAI's protocol, Ollama.

Every exchange has a hard deadline and follows no redirects. Prompts, texts and answers never appear in logs
or error messages.
"""
