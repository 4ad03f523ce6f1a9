/** Self-contained, because nothing else is served yet. @param rebuild `null` if there is none */
export const buildStartingPage = (rebuild: string | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Starting · Birth Registry</title>
</head>
<body>
<main>
<h1>The registry is starting</h1>
${rebuild === null ? '' : `<p>It is rebuilding its tables from the event log. ${rebuild}.</p>\n`}<p>Load this page again in a moment.</p>
</main>
</body>
</html>
`;
