"""Times and dates of pandas 1.3.

fields       what times hold, how they are found and described; resampling
frequencies  their letters
ranges       where ranges of dates end, and bins of business days
units        times in days, hours or seconds
"""
