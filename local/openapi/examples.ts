export const code = 'spring';
export const url = 'https://example.com/';
export const shortUrl = `https://go.example.com/${code}`;
/** The examples must stay valid until this year. */
export const expiresAt = '2035-12-31T23:00:00.000Z';
