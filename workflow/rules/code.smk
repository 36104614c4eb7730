"""Code of each rule's script as an input, so that an edit runs the rule again. Include this file last."""

internals.add_inputs(workflow, PROJECT, "modules", code_of_script)
