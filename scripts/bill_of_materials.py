"""What a build consists of, as an SPDX document. A part of scripts/build-image and scripts/build-dist."""

import hashlib
import json
import pathlib
import re
import subprocess
import time


def package(name, version=None, license="NOASSERTION"):
    made = {
        "SPDXID": f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
        "downloadLocation": "NOASSERTION", "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
        "copyrightText": "NOASSERTION", "filesAnalyzed": False,
    }
    return {key: value for key, value in made.items() if value is not None}


def linked_in(program):
    """What of the toolchain a static program has inside: parts of Swift, each in the toolchain's version, and ICU in its own."""
    said = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", said)[1]
    license = "Apache-2.0 WITH Swift-exception"
    parts = [package(name, version, license) for name in ("swift-standard-library", "swift-dispatch", "swift-foundation")]
    # Its tables name the version in all their members.
    unicode = re.search(rb"icudt(\d+)[lb]", pathlib.Path(program).read_bytes())
    return parts + ([package("icu", unicode[1].decode(), "Unicode-3.0")] if unicode else [])


def asked_for(program):
    """The shared libraries that a program asks the system for, by the names that it asks by."""
    said = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    return [package(name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", said)]


def write(file, name, version, program, more=(), made=None, tool="zumod"):
    """Writes the document: zumod, what it has linked in, what it asks for when it starts, and more that comes with it.

    made: when, in seconds since 1970; now by default.
    """
    own = package("zumod", version, "MIT")
    related = [("STATIC_LINK", part) for part in linked_in(program)]
    related += [("DYNAMIC_LINK", part) for part in asked_for(program)]
    related += [("DEPENDS_ON", part) for part in more]
    packages = [own, *(part for _, part in related)]
    contents = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{contents}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(made)), "creators": [f"Tool: {tool}"]},
        "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": own["SPDXID"]}] + [
            {"spdxElementId": own["SPDXID"], "relationshipType": kind, "relatedSpdxElement": part["SPDXID"]}
            for kind, part in related],
    }
    pathlib.Path(file).write_text(json.dumps(document, indent=1) + "\n")
