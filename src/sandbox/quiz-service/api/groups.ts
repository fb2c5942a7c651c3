import { listGroups } from '../store/groups.ts';
import { json } from './answer.ts';
import { operation } from './operation.ts';

/** Specification, section 4.4. */
export const groupOperations = [operation('GET', '/groups', ({ account }) => json(listGroups(account.database)))];
