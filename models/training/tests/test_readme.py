"""The commands of the README name modules that are there, with options that these take."""

import re
import unittest
from pathlib import Path

FOLDER = Path(__file__).parent.parent
# What a block calls `$F`, `$D` and `$P` stands for folders.
COMMAND = re.compile(r"\$T\.(\w+)([^\n#|`]*(?:\\\n[^\n#]*)*)")
OPTION = re.compile(r"(?<![\w-])--[a-z0-9-]+")


def commands(text: str) -> list[tuple[str, str, list[str]]]:
    """Package, module and options of each command; the package is the last one that `T` was set to."""
    made, package = [], ""
    for block in re.findall(r"^```\n(.*?)^```", text, re.M | re.S):
        said = re.search(r'^T="[^"]*-m (\w+)"', block, re.M)
        package = said[1] if said else package
        made += [(package, module, OPTION.findall(rest)) for module, rest in COMMAND.findall(block)]
    return made


class TheReadme(unittest.TestCase):
    def test_names_commands_and_options_that_are_there(self):
        found = commands((FOLDER / "README.md").read_text())
        self.assertGreater(len(found), 20)
        for package, module, options in found:
            source = FOLDER / package / f"{module}.py"
            self.assertTrue(source.exists(), f"{package}.{module}")
            for option in options:
                self.assertIn(f'"{option}"', source.read_text(), f"{package}.{module} {option}")

    def test_names_steps_of_the_pipeline_that_are_there(self):
        named = re.findall(r"-m training (\w+)([^\n#]*)", (FOLDER / "README.md").read_text())
        source = (FOLDER / "training" / "__main__.py").read_text()
        self.assertGreater(len(named), 5)
        for step, rest in named:
            self.assertIn(f'"{step}": ', source)
            for option in OPTION.findall(rest):
                self.assertIn(f'"{option}"', source, step)

    def test_with_another_option_would_be_noticed(self):
        (package, module, options), = commands('```\nT=".venv/bin/python -m wound_segmentation"\n$T.folds --nothing X   # a word\n```\n')
        self.assertEqual((package, module, options), ("wound_segmentation", "folds", ["--nothing"]))
        self.assertNotIn('"--nothing"', (FOLDER / package / f"{module}.py").read_text())


if __name__ == "__main__":
    unittest.main()
