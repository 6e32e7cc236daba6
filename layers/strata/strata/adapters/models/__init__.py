"""Models that are asked over a network: Bedrock, servers that speak OpenAI's protocol, Ollama.

Every exchange has a deadline that nothing outlives, and follows no redirects. Prompts, texts and answers are
in no log line and in no error's message.
"""
