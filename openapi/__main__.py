"""Prints the document: `python -m openapi`."""

import json
import sys

from openapi.document import merged
from strata.bootstrap import application

json.dump(merged(application().handlers.requests()), sys.stdout, indent=1, ensure_ascii=False)
print()
