"""What a build consists of, as an SPDX document. A part of scripts/build-image and scripts/build-dist."""

import hashlib
import json
import pathlib
import re
import time


def package(name, version, location="NOASSERTION", license="NOASSERTION"):
    return {
        "SPDXID": f"SPDXRef-{re.sub('[^A-Za-z0-9.-]', '-', name)}", "name": name, "versionInfo": version,
        "downloadLocation": location, "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
        "copyrightText": "NOASSERTION", "filesAnalyzed": False,
    }


def swift_packages(sources):
    """The packages that are linked in, by what the last build there resolved: their name, version and address."""
    pins = json.loads((pathlib.Path(sources) / "Package.resolved").read_text())["pins"]
    return [(pin["identity"], pin["state"].get("version", pin["state"]["revision"]), pin["location"]) for pin in pins]


def write(file, name, version, sources, more=(), made=None, tool="zumod"):
    """Writes the document: zumod, the Swift packages in it, and more that comes with it.

    made: when, in seconds since 1970; now by default.
    """
    packages = [package("zumod", version, license="MIT")]
    packages += [package(name, version, f"git+{location}") for name, version, location in swift_packages(sources)]
    packages += more
    contents = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{contents}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(made)), "creators": [f"Tool: {tool}"]},
        "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-zumod"}] + [
            {"spdxElementId": "SPDXRef-zumod", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": part["SPDXID"]}
            for part in packages[1:]],
    }
    pathlib.Path(file).write_text(json.dumps(document, indent=1) + "\n")
