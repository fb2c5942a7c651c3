/** Decides by hash, so that the same record or call has the same oddity every time. */
export interface Dealer {
  /** Deals an oddity to a share of the keys, and each oddity to as many keys. */
  deal: <Item extends { name: string }>(oddities: readonly Item[], key: string) => Item | undefined;
  /** Selects one of the forms of an answer, or undefined for the smooth form. Each is as likely. */
  select: <Item>(forms: readonly Item[], key: string) => Item | undefined;
}

const hashRange = 2 ** 32;

/** @param oneIn one in this many records is odd. 1: all of them */
export function createDealer({ seed, oneIn }: { seed: number; oneIn: number }): Dealer {
  /** By list, because a list is dealt from for every record of an account. */
  const salts = new WeakMap<readonly { name: string }[], number[]>();

  function saltsOf(oddities: readonly { name: string }[]): number[] {
    let found = salts.get(oddities);
    if (!found) salts.set(oddities, (found = oddities.map(({ name }) => hash(`${seed} ${name}`))));
    return found;
  }

  return {
    /*
     * Each oddity decides on its own, so that one more in the table moves few of the others: scenarios that
     * rely on a record keep it.
     */
    deal(oddities, key) {
      const keyHash = hash(key);
      const limit = hashRange / (oneIn * oddities.length);
      return oddities[saltsOf(oddities).findIndex((salt) => mix(keyHash ^ salt) < limit)];
    },
    select(forms, key) {
      const smoothForms = oneIn === 1 ? 0 : 1;
      return forms[mix(hash(`${seed} ${key}`)) % (forms.length + smoothForms)];
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** The finalizer of MurmurHash3, because FNV-1a mixes the last characters badly. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
