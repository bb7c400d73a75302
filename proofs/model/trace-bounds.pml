/* The size of a recorded world. Times are in seconds since it began. */
#define NUMBER int
#define LINKS 12
#define DAYS 12
#define SHEETS 24
#define hostOf(i) host[i]
#define isInBatch(m, i) false
#define sheetOf(c) sheet[c]
#define linkExists(l) exists[l]
#define birthOf(m) sent[clickOf(m)]
int life;
byte host[CONSUMERS], sheet[CLICKS];
bit exists[LINKS];
