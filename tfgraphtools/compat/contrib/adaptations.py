def adapted(name, source):
    return source
