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
  const salts = new Map<string, number>();

  function saltOf(name: string): number {
    let salt = salts.get(name);
    if (salt === undefined) salts.set(name, (salt = hash(`${seed} ${name}`)));
    return salt;
  }

  return {
    /*
     * Each oddity decides on its own, so that one more in the table moves few of the others: scenarios that
     * rely on a record keep it.
     */
    deal(oddities, key) {
      const keyHash = hash(key);
      const limit = hashRange / (oneIn * oddities.length);
      return oddities.find(({ name }) => mix(keyHash ^ saltOf(name)) < limit);
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
