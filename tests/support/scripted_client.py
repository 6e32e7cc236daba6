"""A client of AWS that answers what it is told, and keeps what it was asked."""


class ScriptedClient:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __getattr__(self, operation):
        def call(**arguments):
            self.asked.append((operation, arguments))
            answer = self.answers.pop(0) if self.answers else {}
            if isinstance(answer, Exception):
                raise answer
            return answer

        return call
