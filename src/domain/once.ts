/** Makes a value when it is first asked for, and keeps it: for what takes long to make and is not needed at the start. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
