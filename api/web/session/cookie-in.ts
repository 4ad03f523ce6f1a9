/** `null` if the header has no cookie of this name. */
export const readCookie = (cookies: string, name: string): string | null => {
  for (const pair of cookies.split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return null;
};
