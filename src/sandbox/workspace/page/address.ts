import type { Place } from './ui.ts';

export interface Address {
  person?: string;
  place?: Place;
}

/** Reads who acts and where from the part of the address after #, e.g. #/U00000ADA/C0TRAINING. */
export function readAddress(hash: string): Address {
  const address: Address = {};
  for (const part of hash.replace(/^#\/?/, '').split('/')) {
    if (/^U[A-Z0-9]+$/.test(part)) address.person = part;
    if (/^[CDG][A-Z0-9]+$/.test(part)) address.place = { kind: 'channel', id: part };
    if (part === 'home') address.place = { kind: 'home' };
  }
  return address;
}

export const writeAddress = (person: string, place: Place): string =>
  `#/${person}/${place.kind === 'home' ? 'home' : place.id}`;
