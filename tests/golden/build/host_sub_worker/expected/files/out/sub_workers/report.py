def report(args):
    raise RuntimeError("SubWorker `report` has no body of its own: bind it with `callbacks`")
