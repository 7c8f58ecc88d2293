@rem What "exec" of a POSIX shell does for npm start: cmd.exe finds this in the folder of package.json.
@%*
