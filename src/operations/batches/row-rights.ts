import type { BatchRow } from '../../domain/batch.ts';
import type { Right } from '../context.ts';

/** The rights that a row needs. */
export function rightsFor(row: BatchRow): Right[] {
  switch (row.kind) {
    case 'assign':
    case 'unassign':
      return ['edit_quizzes'];
    case 'suspend':
    case 'reinstate':
      return ['manage_users'];
    case 'join-group':
    case 'leave-group':
      return ['manage_groups'];
    case 'create':
    case 'update':
      return [
        'manage_users',
        ...(row.user.groups.length > 0 ? ['manage_groups' as const] : []),
        ...(row.user.quizzes.length > 0 ? ['edit_quizzes' as const] : []),
      ];
    case 'none':
      return [];
  }
}
