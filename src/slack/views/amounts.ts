/** Such as `71.4 %`. */
export function percent(value: number): string {
  return `${rounded(value)} %`;
}

export function rounded(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}

/** Such as `1 quiz` or `2 quizzes`. */
export function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}
