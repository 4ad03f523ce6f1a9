/** The page of a service that is starting: it stands alone, for nothing else is served yet. */
export const STARTING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Starting · Birth Registry</title>
</head>
<body>
<main>
<h1>The registry is starting</h1>
<p>Load this page again in a moment.</p>
</main>
</body>
</html>
`;
