#!/bin/sh
# Ten tasks of new users, from an empty folder, with what README.md and the pages it links show.
#
#     new_users.sh [TASK ...]
#
# Each task prints its answer and how many seconds it took. SOURCE is the repository to clone.
set -eu

task() { # number, question, page with the call, commands
    if [ -n "$wanted" ] && ! echo " $wanted " | grep -q " $1 "; then return; fi
    printf '\n== %s. %s (%s)\n' "$1" "$2" "$3"
    start=$(date +%s)
    sh -euc "$4"
    printf -- '-- task %s: %s s\n' "$1" "$(($(date +%s) - start))"
}
wanted=$*

python - <<'END'
import numpy as np
import pandas as pd

random = np.random.default_rng(3)
month = np.repeat(["2026-01", "2026-02"], 4000)
fraud = random.random(8000) < np.where(month == "2026-01", 0.1, 0.02)
old, new = (1 / (1 + np.exp(3 - random.normal(gain * fraud))) for gain in (2, 3))
frame = pd.DataFrame({"y_true": fraud.astype(int), "y_pred": (new >= 0.2).astype(int), "month": month})
frame["y_score"] = new
frame.to_csv("predictions.csv", index=False)
pd.DataFrame({"y_true": fraud.astype(int), "old": old, "new": new}).to_csv("scores.csv", index=False)
END

task 1 "An interval of precision for these labels, where one in 501 is positive" README.md '
skewproof score predictions.csv --metrics precision --at 1:500'

task 2 "Is the drop of F1 the fault of the classifier?" README.md '
skewproof explain-change predictions.csv --by month --metrics f1'

task 3 "Which of two models is better where one in a hundred is positive?" README.md '
skewproof compare scores.csv --models old new --at 0.01'

task 4 "A cut-off with a promised precision of .2 at 1:100" docs/guide/tutorials/decision.md '
python - <<END
import pandas as pd
from skewproof import choose_threshold

data = pd.read_csv("predictions.csv")
print(choose_threshold(data["y_true"], data["y_score"], require="precision >= 0.2", at="1:100"))
END'

task 5 "What does imbalance do to my own formula?" README.md '
skewproof audit "tp/(tp + fp + 1)"'

task 6 "Prevalence and F1 of February, if its labels were not known" docs/guide/without_labels.md '
python - <<END
import pandas as pd
from skewproof import ConfusionMatrix, Prevalence, estimate_prevalence, interval

data = pd.read_csv("predictions.csv")
labeled, later = (part for _, part in data.groupby("month"))
reference = ConfusionMatrix.from_labels(labeled["y_true"], labeled["y_pred"])
at = Prevalence.from_predictions(reference, called=int(later["y_pred"].sum()), total=len(later))
print(estimate_prevalence(at).loc[0, "sentence"])
print(interval("f1", reference, at=at))
END'

task 7 "Probabilities of a model that was trained on balanced data, at 1:1000" docs/guide/trained_on_balanced_data.md '
python - <<END
import pandas as pd
from skewproof import adjust_probabilities

data = pd.read_csv("predictions.csv")
print(adjust_probabilities(data["y_score"], trained="1:1", at="1:1000")[:3])
END'

task 8 "How many positives does an interval of F1 need that is .1 wide?" docs/guide/planning.md '
skewproof plan f1 --tpr 0.7 --fpr 0.01 --at 1:99 --width 0.1'

task 9 "May this classifier be released at 0.001, with a precision of .9?" docs/guide/tutorials/decision.md '
skewproof report predictions.csv --at 0.001 --require "precision >= 0.9" -o report.html || test $? = 3'

task 10 "Table 7 of the paper with one more level" README.md '
git clone --quiet "$SOURCE" clone && cd clone
sed -i "s/^levels: \[/levels: [\"1:50\", /" config.yaml
snakemake --cores all results/tables/table_7.md
cat results/tables/table_7.md'
