"""Transforms template.yaml as CloudFormation does it with SAM's macro; run by the Python of the SAM CLI.

    .venv-tools/sam/bin/python tests/support/sam_transform.py template.yaml STAGE

prints the resulting template as JSON, with parameters at their defaults but for the stage.
"""

import json
import sys

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse

_UPLOADED = "s3://bucket/key"
_WHERE_CODE_IS = {"AWS::Serverless::Function": "CodeUri", "AWS::Serverless::LayerVersion": "ContentUri"}


def main(path: str, stage: str) -> None:
    with open(path) as file:
        template = yaml_parse(file.read())
    for resource in template["Resources"].values():
        if resource["Type"] in _WHERE_CODE_IS:
            resource["Properties"][_WHERE_CODE_IS[resource["Type"]]] = _UPLOADED
    session = boto3.Session(region_name="eu-central-1")
    transformed = Translator({}, Parser(), boto_session=session).translate(template, {"Stage": stage})
    sys.stdout.write(json.dumps(transformed))


if __name__ == "__main__":
    main(*sys.argv[1:])
