"""The options of the commands, as data: types that parse and refuse a text, and the options that commands share."""
