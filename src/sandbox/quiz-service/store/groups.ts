import type { Database } from '../database.ts';

/** Specification, section 2.5. */
export interface Group {
  group_id: string;
  group_name: string;
}

export function listGroups(database: Database): Group[] {
  return database.all('SELECT group_id, group_name FROM groups ORDER BY seq');
}

export function findGroup(database: Database, groupId: string): Group | undefined {
  return database.get('SELECT group_id, group_name FROM groups WHERE group_id = ?', [groupId]);
}

export function addGroup(database: Database, group: Group): void {
  database.run('INSERT INTO groups (group_id, group_name) VALUES (?, ?)', [group.group_id, group.group_name]);
}
