/** What can be without a name in the account, in the words of the service. */
type RecordKind =
  'quiz' | 'group' | 'user' | 'person' | 'question' | 'option' | 'category' | 'field' | 'file' | 'token';

/** Whether a text from outside shows nothing: it is empty, or all of it is spaces and characters that nothing shows. */
export function isBlank(text: string): boolean {
  return /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

/** The name of a record; of one without a name what it is and its ID, such as `Unnamed quiz 3f2a9c1e`. Never blank. */
export function nameOrId(kind: RecordKind, name: string, id = ''): string {
  if (!isBlank(name)) return name;
  return isBlank(id) ? `Unnamed ${kind}` : `Unnamed ${kind} ${id}`;
}
