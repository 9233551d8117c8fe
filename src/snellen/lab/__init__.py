"""The lab: models made, trained and steered here. Needs extras: `snellen[local]`, `snellen[train]`."""
