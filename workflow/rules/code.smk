"""What a rule's script runs is an input of the rule: an edit runs it again. To be included last."""

internals.add_inputs(workflow, PROJECT, "modules", code_of_script)
