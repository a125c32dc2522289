"""Known bugs of Spark as a benchmark: does a check of each one's witness find it, and does a campaign meet it?"""
