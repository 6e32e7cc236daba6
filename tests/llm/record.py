"""Records what the real server answers: `make llm-record`. Where its code was installed is taken out."""

import json
import re
from pathlib import Path
from typing import Any

import httpx

from llm.talks import TALKS, asked, model
from servers.llama_cpp import NAME, llama_cpp, versions
from support.model_server import Asked, Told, model_server

FILE = Path(__file__).parents[1] / "recordings" / "llama_cpp_server.json"
_PLACE = re.compile(r'File "[^"]*/(?=llama_cpp/)')


def main() -> None:
    exchanges: list[dict[str, Any]] = []
    with llama_cpp() as url, model_server() as recorder:

        def passed_on(request: Asked) -> Told:
            answer = httpx.post(f"{url}/chat/completions", json=request.body, timeout=900, trust_env=False)
            body = answer.json()
            if answer.is_error:
                body["error"]["message"] = _PLACE.sub('File "', body["error"]["message"])
            exchanges.append({"asked": request.body, "status": answer.status_code, "answered": body})
            return Told(answer.status_code, answer.content)

        recorder.answer = passed_on
        chat = model(recorder.url, NAME)
        said = {person: asked(chat, person) for person in TALKS}
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(
        json.dumps({"versions": versions(), "said": said, "exchanges": exchanges}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
