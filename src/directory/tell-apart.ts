import { say } from '../domain/said.ts';
/** Something with a name that others may have too. */
interface NamedThing {
  name: string;
  id: string;
  /** What it is besides, each at the same place for all; empty where there is nothing to say. */
  traits: readonly string[];
}

/** As much of an ID as tells things apart for people. */
export function endOfId(id: string): string {
  return id.length <= lettersOfId ? id : `…${id.slice(-lettersOfId)}`;
}

const lettersOfId = 4;

/**
 * The names of things, and after the same name what tells them apart: the traits in which they differ, and the end of the ID
 * where they differ in none.
 */
export function tellApart(things: readonly NamedThing[]): string[] {
  const alike = Map.groupBy(things, ({ name }) => name.toLowerCase());
  return things.map((thing) => {
    const twins = alike.get(thing.name.toLowerCase()) ?? [];
    if (twins.length < 2) return thing.name;
    const differing = thing.traits.filter(
      (trait, at) => trait !== '' && twins.some((twin) => twin.traits[at] !== thing.traits[at]),
    );
    const same = twins.filter(({ traits }) => thing.traits.every((trait, at) => trait === traits[at]));
    return [thing.name, ...differing, ...(same.length > 1 ? [say`ID ${endOfId(thing.id)}`] : [])].join(', ');
  });
}
