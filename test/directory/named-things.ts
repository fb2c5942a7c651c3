export interface NamedThing {
  id: string;
  name: string;
}

export const namedThings = (names: readonly string[]): NamedThing[] =>
  names.map((name, index) => ({ id: `id-${index}`, name }));

export const thingKeys = { id: (thing: NamedThing) => thing.id, names: (thing: NamedThing) => [thing.name] };
